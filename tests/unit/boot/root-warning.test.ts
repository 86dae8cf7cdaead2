import { describe, expect, test } from 'vitest';
import { rootWarning, type Surroundings } from '#server/boot/root-warning.ts';

function around(values: { uid?: number; files?: Record<string, string> }): Surroundings {
  const { uid, files = {} } = values;
  return { uid, exists: (path) => Object.hasOwn(files, path), read: (path) => files[path] ?? '' };
}

const MOUNTED = '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n';
const LAYERED = '600 505 0:52 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a:/b\n';

describe('a start as root', () => {
  test('is warned of on a machine, and not for another user or where there are no numbers', () => {
    const files = { '/proc/1/cgroup': '0::/init.scope\n', '/proc/1/mountinfo': MOUNTED };
    expect(rootWarning(around({ uid: 0, files }))).toContain('as root');
    expect(rootWarning(around({ uid: 1000, files }))).toBeUndefined();
    expect(rootWarning(around({ files }))).toBeUndefined();
  });

  test.each([
    ['Docker', { '/.dockerenv': '' }],
    ['Podman', { '/run/.containerenv': '' }],
    ['Kubernetes', { '/proc/1/cgroup': '0::/kubepods.slice/kubepods-pod1.slice\n' }],
    ['a layered image', { '/proc/1/cgroup': '0::/\n', '/proc/1/mountinfo': LAYERED }],
  ])('is nothing to warn of in a container (%s)', (_kind, files) => {
    expect(rootWarning(around({ uid: 0, files: files as Record<string, string> }))).toBeUndefined();
  });
});
