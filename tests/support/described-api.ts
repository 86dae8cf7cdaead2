import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '#server/http/rest/open-api.ts';

/** The API as its OpenAPI document describes it. */
export type DescribedApi = {
  /**
   * Compares a JSON value with its description.
   * @param at the path to the description of a body, such as `paths`, `/issues`, `get`, `responses`, `200`
   * @returns what is wrong with it, as JSON; undefined if it is as described
   */
  faultsIn(value: unknown, at: readonly string[]): string | undefined;
};

export function describedApi(): DescribedApi {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  const document = openApiDocument();
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema({ $id: 'api', ...document });
  return {
    faultsIn(value, at) {
      const pointer = [...at, 'content', 'application/json', 'schema'].map(escaped).join('/');
      const validate = ajv.getSchema(`api#/${pointer}`);
      if (validate === undefined) return `nothing is described at ${pointer}`;
      return validate(value) ? undefined : JSON.stringify(validate.errors);
    },
  };
}

/** Escapes a name for a JSON pointer that is part of a URL. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}
