import { GROWTH_BAND, waterLimits } from '../../locations/water-limits.vocabulary.ts';
import { formatLimits } from '../limits.vocabulary.ts';
import { type LogPresentation, numberOf } from '../log-presentation.ts';

/** The allowed readings, °C. */
export const CELSIUS = { min: 0, max: 100, digits: 1 } as const;

export const waterTemperatureMessages = {
  noneSelected: 'Please select at least one water outlet to test.',
  missing: 'Please enter a temperature for all selected outlets.',
  required: 'Temperature is required',
  notNumber: 'Temperature must be a number',
  range: `Temperature should be between ${CELSIUS.min}°C and ${CELSIUS.max}°C`,
  step: 'Temperature has at most one decimal place',
  /** For cold water that is too warm. */
  satisfactory: (max: number) => `${max} °C or below is satisfactory`,
  saved: 'Water temperature checks have been recorded.',
  visitFailed: (message: string) => `Failed to create visit: ${message}`,
  rowsFailed: (message: string) => `Failed to save temperature checks: ${message}`,
  saveFailed: 'Failed to save water temperature checks. Please try again.',
  loadFailed: 'Failed to load water outlets. Please try again.',
  loadUnexpected: 'An unexpected error occurred. Please try again.',
  limitsHere: (cold: string, hot: string) => `Limits here: cold ${cold}, hot ${hot}.`,
  issueTitle: (outlet: string, celsius: number) => `Water temperature ${celsius} °C: ${outlet}`,
} as const;

export const waterTemperatureLog: LogPresentation = {
  subtitle: 'the outlets of each site every month, each against its own limit',
  reading(result, values) {
    const value = numberOf(values['temperatureCelsius']);
    return {
      outcome: result === 'pass' ? 'Satisfactory' : 'Unsatisfactory',
      reading: value === null ? null : `${value.toFixed(CELSIUS.digits)} °C`,
      value,
      min: numberOf(values['limitMin']),
      max: numberOf(values['limitMax']),
    };
  },
  measures: {
    digits: CELSIUS.digits,
    limitsAt: (healthcare) =>
      waterTemperatureMessages.limitsHere(
        formatLimits(waterLimits('cold', healthcare)),
        formatLimits(waterLimits('hot', healthcare)),
      ),
    band: GROWTH_BAND,
  },
};
