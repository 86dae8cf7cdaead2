import {
  BellOff,
  BellRing,
  Droplets,
  Lightbulb,
  type LucideIcon,
  Thermometer,
  ThermometerSun,
} from 'lucide-react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { falseAlarmMessages } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';

/** How a kind looks on the cards of tasks and of the log book. */
type CardLook = { icon: LucideIcon; logIcon?: LucideIcon; hint?: string };

const LOOKS: Readonly<Partial<Record<LogKind, CardLook>>> = {
  fire_alarm_test: { icon: BellRing },
  emergency_lighting_test: { icon: Lightbulb },
  water_temperature_check: { icon: Thermometer, logIcon: ThermometerSun },
  outlet_flushing: { icon: Droplets },
  false_alarm: { icon: BellOff, hint: falseAlarmMessages.hint },
};

export function cardLookOf(kind: LogKind): CardLook | undefined {
  return LOOKS[kind];
}
