import {
  MenuItem as HeadlessItem,
  Menu as HeadlessMenu,
  MenuButton,
  MenuItems,
  MenuSection,
} from '@headlessui/react';
import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { cx } from '../cx.ts';
import type { MenuItem, MenuProps } from './menu-props.ts';

const itemStyle =
  'flex w-full items-center gap-2.5 rounded-control px-2.5 py-2 text-left text-base data-focus:bg-mute data-disabled:opacity-50 pointer-coarse:min-h-12 pointer-coarse:text-md';

/** The lazily loaded part of `Menu`; use `Menu` instead. */
export default function MenuList({
  label,
  button,
  buttonClassName,
  header,
  groups,
  align = 'end',
}: MenuProps) {
  return (
    <HeadlessMenu>
      <MenuButton aria-label={label} title={label} className={buttonClassName}>
        {button}
      </MenuButton>
      <MenuItems
        anchor={{ to: align === 'end' ? 'bottom end' : 'bottom start', gap: 6, padding: 8 }}
        className="z-50 min-w-52 max-w-80 rounded-panel border border-line bg-surface shadow-overlay focus:outline-none"
      >
        {header !== undefined && <div className="border-line border-b px-4 py-3">{header}</div>}
        {groups
          .filter((group) => group.length > 0)
          .map((group, index) => (
            <MenuSection
              key={group[0]?.key ?? index}
              className={cx('p-1.5', index > 0 && 'border-line border-t')}
            >
              {group.map((item) => (
                <HeadlessItem key={item.key} disabled={item.disabled ?? false}>
                  {item.download !== undefined ? (
                    <a href={item.download} download className={cx(itemStyle, 'text-ink')}>
                      <ItemContent item={item} />
                    </a>
                  ) : item.to === undefined ? (
                    <button
                      type="button"
                      onClick={item.onSelect}
                      className={cx(itemStyle, item.tone === 'bad' ? 'text-bad' : 'text-ink')}
                    >
                      <ItemContent item={item} />
                    </button>
                  ) : (
                    <Link to={item.to} className={cx(itemStyle, 'text-ink')}>
                      <ItemContent item={item} />
                    </Link>
                  )}
                </HeadlessItem>
              ))}
            </MenuSection>
          ))}
      </MenuItems>
    </HeadlessMenu>
  );
}

function ItemContent({ item }: { item: MenuItem }) {
  return (
    <>
      {item.icon}
      <span className="flex-1 truncate">{item.label}</span>
      {item.checked === true && (
        <>
          <Check size={16} aria-hidden className="text-brand" />
          <span className="sr-only"> (current)</span>
        </>
      )}
    </>
  );
}
