import { type RefObject, useEffect, useState } from 'react';

export type CameraState = 'starting' | 'on' | 'denied' | 'none' | 'busy';

/**
 * Streams the rear camera to a video element while mounted.
 * @param tries increased to start again after a failure
 */
export function useCamera(video: RefObject<HTMLVideoElement | null>, tries: number): CameraState {
  const [state, setState] = useState<CameraState>('starting');

  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of tries starts the camera again
  useEffect(() => {
    let stream: MediaStream | undefined;
    let ended = false;
    setState('starting');

    async function start() {
      // `mediaDevices` exists only in secure contexts: https and localhost.
      const devices: MediaDevices | undefined = navigator.mediaDevices;
      if (devices === undefined) return setState('none');
      try {
        stream = await devices.getUserMedia({
          video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 } },
          audio: false,
        });
        const element = video.current;
        if (ended || element === null) return stop();
        element.srcObject = stream;
        await element.play();
        setState('on');
      } catch (error) {
        if (!ended) setState(stateAfter(error));
      }
    }
    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop();
    }

    void start();
    return () => {
      ended = true;
      stop();
    };
  }, [video, tries]);

  return state;
}

function stateAfter(error: unknown): CameraState {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
}
