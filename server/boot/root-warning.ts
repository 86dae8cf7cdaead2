import { existsSync, readFileSync } from 'node:fs';

/** What a process can see of the machine that it runs on; a test has its own. */
export type Surroundings = {
  /** The user's number; absent where a system has none, as Windows. */
  uid: number | undefined;
  exists(path: string): boolean;
  /** An empty text where there is no such file. */
  read(path: string): string;
};

/** Files that Docker, Podman and Kubernetes put into every container. */
const CONTAINER_FILES = [
  '/.dockerenv',
  '/run/.containerenv',
  '/var/run/secrets/kubernetes.io/serviceaccount',
];
const CONTAINER_GROUPS = /docker|kubepods|containerd|libpod|lxc/;
/** The root of an image is a stack of layers: field 5 of mountinfo is the place, the one after the dash the kind. */
const LAYERED_ROOT = /^\S+ \S+ \S+ \S+ \/ .* - overlay /m;

/** The warning for a start as root, or undefined. Inside a container root is only root of the container. */
export function rootWarning(around: Surroundings = thisMachine()): string | undefined {
  if (around.uid !== 0 || isContainer(around)) return undefined;
  return (
    'Lintel runs as root, so a fault in it, or in a package that it uses, has the whole machine. ' +
    'Please start it as a user of its own that may write nothing but DATA_DIR.'
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
        // Not Linux, or hidden from us: then nothing says that this is a container.
        return '';
      }
    },
  };
}
