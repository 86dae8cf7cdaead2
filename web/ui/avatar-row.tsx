import { Avatar } from './avatar.tsx';

type Props = { people: readonly { id: string; name: string }[]; titleOf: (name: string) => string };

/** The most people shown; the others are a number. */
const SHOWN = 3;

/** Avatars of some people side by side, each with the name as its tooltip. */
export function AvatarRow({ people, titleOf }: Props) {
  const more = people.slice(SHOWN);
  return (
    <span className="inline-flex shrink-0 items-center">
      {people.slice(0, SHOWN).map(({ id, name }) => (
        <span key={id} className="-ml-1.5 rounded-full ring-2 ring-surface first:ml-0">
          <Avatar letter={name.slice(0, 1)} size="sm" title={titleOf(name)} />
        </span>
      ))}
      {more.length > 0 && (
        <span
          className="ml-1 text-ink-2 text-xs tabular-nums"
          title={more.map(({ name }) => name).join(', ')}
        >
          +{more.length}
        </span>
      )}
    </span>
  );
}
