import type { z } from 'zod';
import type { Transaction } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { fileMessages } from '#shared/features/files/files-messages.ts';
import { messages } from '#shared/messages.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import type { FilePurpose } from './files.writes.ts';

/** A file as the browser declares it. */
export type DeclaredFile = { name: string; bytes: number; contentType: string };

/** A kind of upload: one route of UploadThing's file router. */
export type UploadRoute = {
  /** Name of the route, as the browser requests it. */
  slug: string;
  /**
   * Decides whether this person may upload this file, and reserves it with `reserveFile`. Called again with the same id, it
   * renews the reservation, and the browser gets a new address for the same upload.
   * @param within the transaction of a command that it is a part of
   * @throws AppError the error for the browser
   */
  reserve(
    ctx: SignedInContext,
    input: unknown,
    file: DeclaredFile,
    within?: Transaction,
  ): Promise<{ id: string }>;
};

/**
 * Makes an upload route.
 * @param route.input the schema of the input that the browser sends; it has the upload's id, which the browser makes
 * @returns the route; it refuses files beyond `UPLOAD_MAX_BYTES` as `too_large`
 */
export function uploadRoute<Input>(route: {
  slug: string;
  input: z.ZodType<Input>;
  reserve(
    ctx: SignedInContext,
    input: Input,
    file: DeclaredFile,
    within?: Transaction,
  ): Promise<{ id: string }>;
}): UploadRoute {
  return {
    slug: route.slug,
    async reserve(ctx, input, file, within) {
      if (!Number.isSafeInteger(file.bytes) || file.bytes < 0) {
        throw new AppError('invalid', { data: { fields: { size: messages.common.invalid } } });
      }
      const { uploadMaxBytes } = ctx.services.env;
      if (uploadMaxBytes !== undefined && file.bytes > uploadMaxBytes) {
        throw new AppError('too_large', { message: fileMessages.tooLarge(uploadMaxBytes) });
      }
      return route.reserve(ctx, route.input.parse(input), file, within);
    },
  };
}

/** All purposes of files and their upload routes; `server/boot` puts them together. */
export type FileLayer = { purposes: readonly FilePurpose[]; routes: readonly UploadRoute[] };
