import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgPreparedQuery, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import { type Queryable, sessionOf } from './client.ts';
import { type Shape, shapeOf, shapeOfSql } from './session.ts';

/** A placeholder for each value of a statement, by name; they cannot be enumerated. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };
type ValuesOf<Placeholders> = {
  [Name in keyof Placeholders]: Placeholders[Name] extends Placeholder<string, infer Value> ? Value : never;
};

/** A query of the builder. */
type Buildable<Rows> = { prepare(name: string): PgPreparedQuery<PreparedQueryConfig & { execute: Rows }> };

/** Runs the statement. */
type Run<Placeholders, Form, Rows> = (
  db: Queryable,
  values: ValuesOf<Placeholders>,
  ...form: [Form] extends [undefined] ? [] : [Form]
) => Promise<Rows>;

/** More forms than any statement has; beyond, the texts are made again. */
const FORMS_MAX = 500;
const dialect = new PgDialect();
const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });

/**
 * A statement whose SQL is built once, at its first use, instead of at each: a third of the cost of a small query.
 * @param build builds it, with a placeholder for each value that differs from call to call
 * @param build.form anything else that the text depends on, as plain JSON: it is built once for each
 * @returns runs the statement. It is on its way to the database when this returns, so statements of one transaction
 *   that are run before the first is awaited travel together
 */
export function statement<Placeholders extends Given<Record<string, unknown>>, Rows, Form = undefined>(
  build: (db: Queryable, given: Placeholders, form: Form) => Buildable<Rows>,
): Run<Placeholders, Form, Rows> {
  return remember((db, given: Placeholders, form: Form) =>
    shapeOf(build(db, given, form).prepare('statement')),
  );
}

/** The same for SQL whose type is that of a row, as the driver reads it: dates and numbers of 64 bits are text. */
export function sqlStatement<Placeholders extends Given<Record<string, unknown>>, Row, Form = undefined>(
  build: (given: Placeholders, form: Form) => SQL<Row>,
): Run<Placeholders, Form, Row[]> {
  return remember((_db, given: Placeholders, form: Form) =>
    shapeOfSql<Row[]>(dialect.sqlToQuery(build(given, form))),
  );
}

function remember<Placeholders, Form, Rows>(
  make: (db: Queryable, given: Placeholders, form: Form) => Shape<Rows>,
): Run<Placeholders, Form, Rows> {
  const shapes = new Map<string, Shape<Rows>>();

  function shape(db: Queryable, form: Form): Shape<Rows> {
    const key = typeof form === 'string' ? form : (JSON.stringify(form) ?? '');
    const known = shapes.get(key);
    if (known !== undefined) return known;
    // The cast: the proxy has a placeholder of any name.
    const made = make(db, placeholders as Placeholders, form);
    if (shapes.size >= FORMS_MAX) shapes.clear();
    shapes.set(key, made);
    return made;
  }

  // The cast: without a form there is none.
  return (db, values, ...[form]) => sessionOf(db).run(shape(db, form as Form), values);
}
