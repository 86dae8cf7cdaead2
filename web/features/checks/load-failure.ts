import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import {
  emergencyLightingMessages,
  fireAlarmMessages,
  outletFlushingMessages,
  waterTemperatureMessages,
} from '#shared/features/checks/kind-messages.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';

const FAILED: Readonly<Partial<Record<LogKind, { refused: string; unexpected?: string }>>> = {
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
export function loadFailureOf(kind: LogKind, error: unknown): string {
  const words = FAILED[kind] ?? { refused: checkMessages.loadFailed };
  return wireErrorOf(error) === undefined ? (words.unexpected ?? words.refused) : words.refused;
}
