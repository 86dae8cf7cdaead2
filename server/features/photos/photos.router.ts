import { announcePhotoInput, listPhotosInput, removePhotoInput } from '#shared/features/photos/photos.ts';
import { router, signedIn } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { announcePhoto, removePhoto } from './photos.commands.ts';
import { listPhotos } from './photos.queries.ts';

// No permission here: it depends on the row that a photo belongs to, so the commands decide.
export const photosRouter = router({
  list: signedIn
    .input(listPhotosInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listPhotos(tx, ctx.actor, input))),
  announce: signedIn.input(announcePhotoInput).mutation(({ ctx, input }) => announcePhoto(ctx, input)),
  remove: signedIn.input(removePhotoInput).mutation(({ ctx, input }) => removePhoto(ctx, input)),
});
