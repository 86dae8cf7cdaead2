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

/** Icons and hint of a kind on the cards of the Tasks and Log Book screens. */
type CardLook = { icon: LucideIcon; logIcon?: LucideIcon; hint?: string };

const LOOKS: Readonly<Partial<Record<LogKind, CardLook>>> = {
  fire_alarm_test: { icon: BellRing },
  emergency_lighting_test: { icon: Lightbulb },
  water_temperature_check: { icon: Thermometer, logIcon: ThermometerSun },
  outlet_flushing: { icon: Droplets },
  false_alarm: { icon: BellOff, hint: falseAlarmMessages.hint },
};

/** Returns the icons and hint of a kind; undefined for a kind without its own. */
export function cardLookOf(kind: LogKind): CardLook | undefined {
  return LOOKS[kind];
}
