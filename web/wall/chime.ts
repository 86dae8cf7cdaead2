/** The time in ms after which the chime repeats, until the issue is responded to. */
export const CHIME_AGAIN_MS = 120_000;
/** Two tones, in Hz, and the duration of each, in s. */
const TONES = [880, 660] as const;
const TONE_S = 0.35;
const LOUDNESS = 0.3;

let context: AudioContext | undefined;

/** Plays two tones. A browser that allows no sound before the first touch stays silent. */
export function chime(): void {
  if (window.AudioContext === undefined) return;
  context ??= new AudioContext();
  void context.resume().catch(() => undefined);
  if (context.state !== 'running') return;
  const start = context.currentTime;
  for (const [index, tone] of TONES.entries()) {
    const [from, to] = [start + index * TONE_S, start + (index + 1) * TONE_S];
    const [source, volume] = [context.createOscillator(), context.createGain()];
    source.frequency.value = tone;
    volume.gain.setValueAtTime(LOUDNESS, from);
    // Faded out, because a tone that is cut off makes a click.
    volume.gain.exponentialRampToValueAtTime(0.001, to);
    source.connect(volume).connect(context.destination);
    source.start(from);
    source.stop(to);
  }
}
