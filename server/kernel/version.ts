import packageJson from '#package.json' with { type: 'json' };

/** The version of Lintel. */
export const VERSION: string = packageJson.version;
