import { cx } from './cx.ts';

export type AvatarColour = 'red' | 'blue' | 'green' | 'grey';

const colours: Record<AvatarColour, string> = {
  red: 'bg-role-red',
  blue: 'bg-role-blue',
  green: 'bg-role-green',
  grey: 'bg-role-grey',
};

type Props = { letter: string; colour?: AvatarColour; size?: 'sm' | 'md' | 'lg'; title?: string };

/** One letter in a disc. Decorative beside a name, unless `title` names the person. */
export function Avatar({ letter, colour = 'grey', size = 'md', title }: Props) {
  return (
    <span
      {...(title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title, title })}
      className={cx(
        'inline-grid shrink-0 place-items-center rounded-full font-semibold text-white uppercase',
        size === 'sm' && 'size-6 text-xs',
        size === 'md' && 'size-8 text-sm',
        size === 'lg' && 'size-10 text-md',
        colours[colour],
      )}
    >
      {letter}
    </span>
  );
}
