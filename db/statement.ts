import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgPreparedQuery, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import { type Queryable, sessionOf } from './client.ts';
import { type Shape, shapeOf, shapeOfSql } from './session.ts';

/** A placeholder for each value of a statement, by name. The names cannot be enumerated. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

/** A query of the query builder. */
export type Buildable<Rows> = {
  prepare(name: string): PgPreparedQuery<PreparedQueryConfig & { execute: Rows }>;
};

/** Runs the statement. */
type Run<Values, Form, Rows> = (db: Queryable, values: Values, ...form: FormOf<Form>) => Promise<Rows>;
/** One more parameter, if the text of a statement depends on more than its placeholders. */
export type FormOf<Form> = [Form] extends [undefined] ? [] : [Form];

/** The most forms of a statement in the cache of texts; with more, the cache is emptied. No statement has so many. */
const FORMS_MAX = 500;
const dialect = new PgDialect();
const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });

/**
 * A statement whose SQL is built once, at its first use. Building it at each use is a third of the cost of a small query.
 * @param build builds it, with a placeholder for each value that differs from call to call
 * @param build.form anything else that the text depends on, as plain JSON: the SQL is built once for each form
 * @returns a function that runs the statement. The statement is on its way to the database when the function returns, so
 *   statements of one transaction that are run before the first is awaited are sent together
 */
export function statement<Values extends Record<string, unknown>, Rows, Form = undefined>(
  build: (db: Queryable, given: Given<Values>, form: Form) => Buildable<Rows>,
): Run<Values, Form, Rows> {
  return remember((db, given: Given<Values>, form: Form) =>
    shapeOf(build(db, given, form).prepare('statement')),
  );
}

/** SQL of exactly one row, by column. */
export type OneRow<Row> = { columns: { [Name in keyof Row]: SQL<Row[Name]> }; from: SQL };

/** The SQL that selects the row. */
export function selectOne<Row>({ columns, from }: OneRow<Row>): SQL<Row> {
  const named = Object.entries<SQL>(columns).map(
    ([name, column]) => sql`${column} as ${sql.identifier(name)}`,
  );
  return sql`select ${sql.join(named, sql`, `)} from ${from}`;
}

/**
 * A statement that answers with its rows, in any order, and with one other row, both read from the same state of the
 * database. It needs no transaction, and so costs one round trip. Only for few rows, because each repeats the other row.
 * @param build as for `statement`
 * @param other the other row
 * @returns a function that runs the statement; `other` is undefined if there is no such row
 */
export function statementBeside<
  Values extends Record<string, unknown>,
  Others extends Record<string, unknown>,
  Rows,
  Row,
  Form = undefined,
>(
  build: (db: Queryable, given: Given<Values>, form: Form) => Buildable<Rows>,
  other: (given: Given<Others>) => OneRow<Row>,
): Run<Values & Others, Form, { rows: Rows; other: Row | undefined }> {
  return remember((db, given: Given<Values & Others>, form: Form) =>
    beside(shapeOf(build(db, given, form).prepare('statement')), other(given)),
  );
}

function beside<Rows, Row>(
  shape: Shape<Rows>,
  other: OneRow<Row>,
): Shape<{ rows: Rows; other: Row | undefined }> {
  const { sql: text, params } = dialect.sqlToQuery(selectOne(other));
  const own = Math.max(0, ...[...shape.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const moved = text.replace(/\$(\d+)/g, (_, number: string) => `$${own + Number(number)}`);
  const others = shapeOfSql({ sql: text, params });
  const names = Object.keys(other.columns);
  const { rows: read } = shape;
  if (read === undefined) throw new Error('a statement without columns');
  return {
    // An outer join, because the statement itself may have no rows.
    text: `with other as materialized (${moved})
      select own.*, other.* from other left join (select own.*, true as found from (${shape.text}) own) own on true`,
    parameters: (values) => [...shape.parameters(values), ...others.parameters(values)],
    rows(answer) {
      const [first] = answer;
      if (first === undefined) return { rows: read([]), other: undefined };
      const width = first.length - names.length - 1;
      // The cast: these are the columns of the other row, in this order.
      const row = Object.fromEntries(names.map((name, at) => [name, first[width + 1 + at]])) as Row;
      const found = answer.filter((values) => values[width] === true).map((values) => values.slice(0, width));
      return { rows: read(found), other: row };
    },
    simple: false,
  };
}

/** As `statement`, for SQL. A row has the types that the driver returns: dates and numbers of 64 bits are text. */
export function sqlStatement<Values extends Record<string, unknown>, Row, Form = undefined>(
  build: (given: Given<Values>, form: Form) => SQL<Row>,
): Run<Values, Form, Row[]> {
  return remember((_db, given: Given<Values>, form: Form) =>
    shapeOfSql<Row[]>(dialect.sqlToQuery(build(given, form))),
  );
}

function remember<Values extends Record<string, unknown>, Form, Rows>(
  make: (db: Queryable, given: Given<Values>, form: Form) => Shape<Rows>,
): Run<Values, Form, Rows> {
  const shapes = new Map<string, Shape<Rows>>();

  function shape(db: Queryable, form: Form): Shape<Rows> {
    const key = typeof form === 'string' ? form : (JSON.stringify(form) ?? '');
    const known = shapes.get(key);
    if (known !== undefined) return known;
    // The cast: the proxy has a placeholder of any name.
    const made = make(db, placeholders as Given<Values>, form);
    if (shapes.size >= FORMS_MAX) shapes.clear();
    shapes.set(key, made);
    return made;
  }

  // The cast: `form` is absent only if its type is undefined.
  return (db, values, ...[form]) => sessionOf(db).run(shape(db, form as Form), values);
}
