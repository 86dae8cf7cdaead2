import type { Role } from '#shared/permissions.ts';
import type { AvatarColour } from '../../ui/avatar.tsx';
import type { Tone } from '../../ui/feedback/badge.tsx';

const COLOURS: Readonly<Partial<Record<Role, AvatarColour>>> = {
  admin: 'red',
  manager: 'blue',
  operative: 'green',
};
const TONES: Readonly<Partial<Record<Role, Tone>>> = { admin: 'bad', manager: 'info', operative: 'ok' };

/** Returns the avatar's colour of a role: admin red, manager blue, operative green, any other grey. */
export function roleColour(role: Role | null): AvatarColour {
  return (role === null ? undefined : COLOURS[role]) ?? 'grey';
}

/** Returns the badge's tone of a role. */
export function roleTone(role: Role | null): Tone {
  return (role === null ? undefined : TONES[role]) ?? 'neutral';
}
