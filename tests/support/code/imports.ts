import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An import; paths are relative to the repository, with forward slashes. */
export type Import = {
  from: string;
  /** As written in the source. */
  specifier: string;
  /** The imported source file; undefined for a package. */
  to: string | undefined;
  typeOnly: boolean;
  statement: string;
};

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Lists every source file below a folder. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (path === 'web/dist') return [];
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** Returns a file's text without its comments. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Finds every import and re-export in a file: static, dynamic, of types, and for side effects. */
export function importsIn(path: string, text = textOf(path)): Import[] {
  const code = codeOf(text);
  const found = [
    ...code.matchAll(/^\s*(?:import|export)\s[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
    ...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g),
  ];
  return found.map(([statement, specifier = '']) => ({
    from: path,
    specifier,
    to: resolve(path, specifier),
    typeOnly: /^\s*(?:import|export)\s+type\b/.test(statement),
    statement: statement.trim().replace(/\s+/g, ' '),
  }));
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}
