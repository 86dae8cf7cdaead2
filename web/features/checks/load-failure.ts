import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import {
  emergencyLightingMessages,
  fireAlarmMessages,
  outletFlushingMessages,
  waterTemperatureMessages,
} from '#shared/features/checks/kind-messages.ts';

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

/** What is said where sites, or what is at one, did not come; other sentences where no answer came or none was asked for. */
export function loadFailureOf(kind: LogKind, error: unknown): string {
  if (!navigator.onLine) return formMessages.notYetHere;
  const words = FAILED[kind] ?? { refused: checkMessages.loadFailed };
  return isUnanswered(error) ? (words.unexpected ?? words.refused) : words.refused;
}

/** `fetch` rejects with a TypeError, and with nothing else, where no answer came: one of a proxy's is an answer, too. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
