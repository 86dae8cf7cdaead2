import { checkMessages } from '#shared/features/checks/check-messages.ts';
import {
  emergencyLightingMessages,
  fireAlarmMessages,
  outletFlushingMessages,
  waterTemperatureMessages,
} from '#shared/features/checks/kind-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';

const FAILED: Readonly<Partial<Record<CheckKind, { refused: string; unexpected?: string }>>> = {
  fire_alarm_test: { refused: fireAlarmMessages.loadFailed },
  emergency_lighting_test: { refused: emergencyLightingMessages.loadFailed },
  water_temperature_check: {
    refused: waterTemperatureMessages.loadFailed,
    unexpected: waterTemperatureMessages.loadUnexpected,
  },
  outlet_flushing: {
    refused: outletFlushingMessages.loadFailed,
    unexpected: outletFlushingMessages.loadUnexpected,
  },
};

/** What is said where a site's register did not come: another sentence where it was not the server that answered. */
export function loadFailureOf(kind: CheckKind, error: unknown): string {
  const words = FAILED[kind] ?? { refused: checkMessages.loadFailed };
  return wireErrorOf(error) === undefined ? (words.unexpected ?? words.refused) : words.refused;
}
