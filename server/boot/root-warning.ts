import { existsSync, readFileSync } from 'node:fs';

/** The machine as a process sees it; tests pass their own. */
export type Surroundings = {
  /** The numeric user id; absent on systems without one, such as Windows. */
  uid: number | undefined;
  exists(path: string): boolean;
  /** Returns an empty text if the file cannot be read. */
  read(path: string): string;
};

/** Files that Docker, Podman and Kubernetes put into every container. */
const CONTAINER_FILES = [
  '/.dockerenv',
  '/run/.containerenv',
  '/var/run/secrets/kubernetes.io/serviceaccount',
];
const CONTAINER_GROUPS = /docker|kubepods|containerd|libpod|lxc/;
/** The root of an image is an overlay: field 5 of mountinfo is the mount point, the first after the dash the type. */
const LAYERED_ROOT = /^\S+ \S+ \S+ \S+ \/ .* - overlay /m;

/** Returns a warning if the process runs as root outside a container, else undefined. */
export function rootWarning(around: Surroundings = thisMachine()): string | undefined {
  if (around.uid !== 0 || isContainer(around)) return undefined;
  return (
    'Lintel runs as root, so a fault in it, or in a package that it uses, exposes the whole machine. ' +
    'Please start it as a user of its own that may write only to DATA_DIR.'
  );
}

function isContainer({ exists, read }: Surroundings): boolean {
  return (
    CONTAINER_FILES.some(exists) ||
    CONTAINER_GROUPS.test(read('/proc/1/cgroup')) ||
    LAYERED_ROOT.test(read('/proc/1/mountinfo'))
  );
}

function thisMachine(): Surroundings {
  return {
    uid: process.getuid?.(),
    exists: existsSync,
    read(path) {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        // Not Linux, or hidden: nothing indicates a container.
        return '';
      }
    },
  };
}
