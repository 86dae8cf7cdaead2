import { z } from 'zod';
import { buildingsChoiceFields, requireReach } from '../../buildings-choice.ts';
import { messages } from '../../messages.ts';
import { nameText } from '../../text/text.ts';
import { apiKeyMessages } from './api-key-messages.ts';
import {
  API_KEY_BUILDINGS_MAX,
  API_KEY_DAYS,
  API_KEY_NAME_MAX,
  API_PERMISSIONS,
} from './api-keys.vocabulary.ts';

const buildingsChoice = buildingsChoiceFields(API_KEY_BUILDINGS_MAX);

/** A key as administrators see it. Times are ISO. */
export const apiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  permissions: z.array(z.string()),
  ...buildingsChoice,
  createdAt: z.string(),
  createdBy: z.uuid(),
  createdByName: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  version: z.number().int(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const newApiKeySchema = z.strictObject({
  id: z.uuid(),
  /** SHA-256 of the key, hex. The browser makes the key, so that it is neither sent nor stored. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: nameText()
    .min(1, apiKeyMessages.nameRequired)
    .max(API_KEY_NAME_MAX, messages.common.tooLong(API_KEY_NAME_MAX)),
  permissions: z
    .array(z.enum(API_PERMISSIONS))
    .min(1, apiKeyMessages.permissionsRequired)
    .max(API_PERMISSIONS.length)
    .refine((permissions) => new Set(permissions).size === permissions.length),
  ...buildingsChoice,
  days: z.literal(API_KEY_DAYS),
});
const refuseNarrow = requireReach(apiKeyMessages.peopleNeedAll);

/** Input of `apiKeys.create` without the operation id, for the form. */
export const newApiKeyInput = newApiKeySchema.superRefine(refuseNarrow);
/** Input of `apiKeys.create`. */
export const createApiKeyInput = newApiKeySchema.extend({ operationId: z.uuid() }).superRefine(refuseNarrow);
export type CreateApiKeyInput = z.infer<typeof createApiKeyInput>;

/** Input of `apiKeys.revoke`. */
export const revokeApiKeyInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RevokeApiKeyInput = z.infer<typeof revokeApiKeyInput>;

/** The last use of a key, by the server's clock. */
export type ApiKeyUse = { keyId: string; usedAt: string; address: string };
