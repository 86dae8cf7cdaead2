/** The time after which the address of the file is revoked. The browser reads the address only after this call has returned. */
const READ_WITHIN_MS = 60_000;

/** Saves a text as a download. */
export function saveTextFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}
