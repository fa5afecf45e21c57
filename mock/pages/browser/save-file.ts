/** Lets the browser save a text or bytes as a file. */
export function saveFile(name: string, content: BlobPart): void {
  // Of this type, so that no browser opens it in the page's place.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
