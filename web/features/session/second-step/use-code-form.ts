import { useCommandForm } from '../../../forms/use-command-form.ts';

type Options<Answer> = {
  send: (code: string) => Promise<Answer>;
  onSent: (answer: Answer) => void;
  onFailed: (error: unknown) => void;
};

/** A form with one field, `code`: a code of an authenticator app or a recovery code. */
export function useCodeForm<Answer>({ send, onSent, onFailed }: Options<Answer>) {
  return useCommandForm({
    blank: { code: '' },
    schema: async () =>
      (await import('#shared/features/users/second-factor.ts')).completeSignInInput.pick({ code: true }),
    send: ({ code }) => send(code),
    failure: onFailed,
    onSent,
  });
}
