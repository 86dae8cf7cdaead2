import { usePermissions } from '../../lib/can.tsx';
import { AddPhotos } from './add-photos.tsx';
import { PhotoStrip } from './photo-strip.tsx';
import { WaitingPhotos } from './waiting-photos.tsx';

type Props = {
  completionId: string;
  /** The task, for screen readers and the Sync page: "HAR-T0001". */
  name?: string;
};

/** Photos of a completion. People who may edit tasks can add photos; none can be removed, because they are evidence. */
export function CompletionPhotos({ completionId, name = 'the completion' }: Props) {
  const mayAdd = usePermissions().can('edit_tasks');
  const of = { completionId };
  return (
    <div className="grid min-w-0 gap-3">
      <PhotoStrip place={{ on: 'completion', onId: completionId }} of={name} />
      <WaitingPhotos of={of} />
      {mayAdd && <AddPhotos of={of} name={name} />}
    </div>
  );
}
