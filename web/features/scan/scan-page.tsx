import { CameraOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { scanMessages } from '#shared/features/assets/scan-messages.ts';
import { messages } from '#shared/messages.ts';
import { usePermissions } from '../../lib/can.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { assetIdIn } from './label-code.ts';
import { createCodeReader } from './read-codes.ts';
import { type CameraState, useCamera } from './use-camera.ts';

const LOOK_EVERY_MS = 150;
const BACK_TO_TASKS = { to: '/operative-tasks', label: 'Back to Tasks' };

/** Shows the camera and, once it sees an asset label, opens the page of its asset. */
export default function ScanPage() {
  const { can } = usePermissions();
  const navigate = useNavigate();
  const video = useRef<HTMLVideoElement>(null);
  const [tries, setTries] = useState(0);
  const [unknown, setUnknown] = useState(false);
  const camera = useCamera(video, tries);

  useEffect(() => {
    if (camera !== 'on') return;
    let ended = false;
    async function look() {
      const read = await createCodeReader();
      while (!ended) {
        const code = video.current === null ? undefined : await read(video.current).catch(() => undefined);
        const id = code === undefined ? undefined : assetIdIn(code);
        if (ended) return;
        if (id !== undefined) {
          navigator.vibrate?.(60);
          void navigate(`/a/${id}`, { replace: true });
          return;
        }
        // The message stays until the person leaves, because a wrong code leaves the picture before the message has been read.
        if (code !== undefined) setUnknown(true);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
    void look();
    return () => {
      ended = true;
    };
  }, [camera, navigate]);

  return (
    <Page back={can('view_operative_tasks') ? BACK_TO_TASKS : { to: '/dashboard' }}>
      <div className="grid max-w-lg gap-4">
        {camera === 'on' || camera === 'starting' ? (
          <>
            <div className="relative overflow-hidden rounded-phone bg-ink">
              <video
                ref={video}
                muted
                playsInline
                aria-label={scanMessages.picture}
                className="aspect-[3/4] w-full object-cover"
              />
              <div aria-hidden className="absolute inset-[18%_14%] rounded-panel border-2 border-white/85" />
            </div>
            <p role="status" className={unknown ? 'text-bad' : 'text-ink-2'}>
              {unknown ? scanMessages.unknown : scanMessages.hint}
            </p>
          </>
        ) : (
          <Trouble camera={camera} onRetry={() => setTries((n) => n + 1)} />
        )}
      </div>
    </Page>
  );
}

function Trouble({
  camera,
  onRetry,
}: {
  camera: Exclude<CameraState, 'on' | 'starting'>;
  onRetry: () => void;
}) {
  return (
    <EmptyState
      icon={<CameraOff size={20} />}
      title={scanMessages.noPicture}
      text={scanMessages[camera]}
      action={<Button onClick={onRetry}>{messages.common.tryAgain}</Button>}
    />
  );
}
