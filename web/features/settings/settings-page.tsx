import { Page } from '../../ui/page.tsx';
import { BackupsCard } from './backups-card.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** What administrators need to know about the installation. What is set, is set where the server runs. */
export default function SettingsPage() {
  return (
    <Page>
      <div className="grid max-w-4xl gap-4">
        <SignInCard />
        <BackupsCard />
      </div>
    </Page>
  );
}
