import { ApiKeysCard } from '../../features/api-keys/api-keys-card.tsx';
import { SettingsPage } from '../../features/settings/settings-page.tsx';

/** Settings, with the keys of the API. */
export default function SettingsScreen() {
  return (
    <SettingsPage>
      <ApiKeysCard />
    </SettingsPage>
  );
}
