/** A chosen or dropped file, with the names of those parent folders that were chosen with it. */
export type ChosenFile = { file: File; path: readonly string[] };
/** Files chosen together. `folders` contains the paths of all folders, including empty ones. */
export type Chosen = { files: ChosenFile[]; folders: (readonly string[])[]; unreadable: string[] };

/** Files that operating systems create in folders by themselves; they are not uploaded. */
const OF_DESKTOPS = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Reads the files of a file button; with a button for folders, each file has its path. */
export function chosenFiles(list: Iterable<File>): Chosen {
  const files = [...list]
    .filter(({ name }) => !OF_DESKTOPS.has(name))
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
  return { files, folders: foldersOf(files.map(({ path }) => path)), unreadable: [] };
}

/** Reads the dropped files. Must be called in the event handler: afterwards the browser returns no data. */
export function droppedFiles(data: DataTransfer): Promise<Chosen> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return Promise.resolve(chosenFiles(data.files));
  return readAll(entries);
}

async function readAll(entries: readonly FileSystemEntry[]): Promise<Chosen> {
  const chosen: Chosen = { files: [], folders: [], unreadable: [] };
  for (const entry of entries) await read(entry, [], chosen);
  return chosen;
}

async function read(entry: FileSystemEntry, path: readonly string[], into: Chosen): Promise<void> {
  try {
    if (isFile(entry)) {
      if (OF_DESKTOPS.has(entry.name)) return;
      into.files.push({ file: await fileOf(entry), path });
    } else if (isFolder(entry)) {
      const own = [...path, entry.name];
      into.folders.push(own);
      for (const child of await childrenOf(entry)) await read(child, own, into);
    }
  } catch {
    into.unreadable.push(entry.name);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Reads a folder in pieces: the browser returns a hundred entries at a time, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Returns all folders of the paths, without duplicates, parents before their children. */
function foldersOf(paths: readonly (readonly string[])[]): string[][] {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const folder = path.slice(0, depth);
      found.set(folder.join('/'), folder);
    }
  }
  return [...found.values()];
}
