import type { ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';
import { BackupsCard } from './backups-card.tsx';
import { HealthCard } from './health-card.tsx';
import { SignInCard } from './sign-in-card.tsx';

/**
 * Information for administrators about the installation. The installation's settings are set where the server runs.
 * @param children cards of other features
 */
export function SettingsPage({ children }: { children: ReactNode }) {
  return (
    <Page>
      <div className="grid max-w-4xl gap-4">
        <HealthCard />
        <SignInCard />
        {children}
        <BackupsCard />
      </div>
    </Page>
  );
}
