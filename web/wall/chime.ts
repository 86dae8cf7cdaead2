/** Until the issue is responded to, the chime repeats after this time, in ms. */
export const CHIME_AGAIN_MS = 120_000;
/** Two tones, in Hz, each this long, in s. */
const TONES = [880, 660] as const;
const TONE_S = 0.35;
const LOUDNESS = 0.3;

let context: AudioContext | undefined;

/** Sounds two tones. A browser that allows no sound before a first touch stays silent. */
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
