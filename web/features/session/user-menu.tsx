import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { chooseTheme, readTheme, THEME_LABELS, THEMES, type Theme } from '../../lib/theme.ts';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { useUnsent } from '../../offline/queue/use-unsent.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu } from '../../ui/dialogs/menu.tsx';
import type { MenuItem } from '../../ui/dialogs/menu-props.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { roleColour, roleTone } from './role-colours.ts';
import { useMe } from './session-context.ts';
import { useSignOut } from './use-sign-out.ts';

const SignOutQuestion = lazyScreen(async () => ({
  default: (await import('./sign-out-question.tsx')).SignOutQuestion,
}));

const themeIcons: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon };

/** Menu of the signed-in person: links, theme and sign-out. */
export function UserMenu({ links }: { links: readonly MenuItem[] }) {
  const me = useMe();
  const signOut = useSignOut();
  const unsent = useUnsent();
  const used = useOfflineIfUsed() !== undefined;
  // The dialog may be needed without a network.
  useEffect(() => {
    if (used) SignOutQuestion.preload();
  }, [used]);
  const [asking, setAsking] = useState(false);
  const [theme, setTheme] = useState(readTheme);

  const themes = THEMES.map((each): MenuItem => {
    const Icon = themeIcons[each];
    return {
      key: each,
      label: THEME_LABELS[each],
      icon: <Icon size={16} aria-hidden />,
      checked: each === theme,
      onSelect: () => {
        chooseTheme(each);
        setTheme(each);
      },
    };
  });

  return (
    <>
      <Menu
        label="User menu"
        buttonClassName="inline-grid place-items-center rounded-full pointer-coarse:size-12"
        button={<Avatar letter={me.email.charAt(0)} colour={roleColour(me.role)} />}
        header={
          <div className="grid gap-1">
            <p className="font-semibold text-ink [overflow-wrap:anywhere]">{`${me.firstName} ${me.lastName}`}</p>
            <p className="text-ink-2 text-sm [overflow-wrap:anywhere]">{me.email}</p>
            {me.role !== null && (
              <p>
                <Badge tone={roleTone(me.role)}>{ROLE_LABELS[me.role]}</Badge>
              </p>
            )}
          </div>
        }
        groups={[
          links,
          themes,
          [
            {
              key: 'sign-out',
              label: 'Sign out',
              icon: <LogOut size={16} aria-hidden />,
              onSelect: () => (unsent.waiting + unsent.attachments === 0 ? void signOut() : setAsking(true)),
            },
          ],
        ]}
      />
      <Suspense fallback={null}>
        {asking && (
          <SignOutQuestion
            unsent={unsent}
            onStay={() => setAsking(false)}
            onLeave={() => {
              setAsking(false);
              void signOut();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
