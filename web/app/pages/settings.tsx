import { ApiKeysCard } from '../../features/api-keys/api-keys-card.tsx';
import { SettingsPage } from '../../features/settings/settings-page.tsx';
import { WebhooksCard } from '../../features/webhooks/webhooks-card.tsx';

/** Settings, with the keys of the API and the webhooks. */
export default function SettingsScreen() {
  return (
    <SettingsPage>
      <ApiKeysCard />
      <WebhooksCard />
    </SettingsPage>
  );
}
