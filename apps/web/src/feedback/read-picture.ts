import { longestPicture } from '@pdf2press/contract';

/** The longer side of a picture that is sent, CSS pixels: text on it can still be read. */
const longestSide = 1920;
const qualities = [0.9, 0.75, 0.5];

/** Draws what the browser can show, smaller where it is large, as the address of a JPEG that is short enough. */
function drawn(source: CanvasImageSource, width: number, height: number): string | null {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // A JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const addresses = qualities.map((quality) => canvas.toDataURL('image/jpeg', quality));
  return addresses.find((address) => address.length <= longestPicture) ?? null;
}

/** A chosen or pasted file as the address of a picture; null when the browser cannot show it as one. */
export async function readPicture(file: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const address = drawn(bitmap, bitmap.width, bitmap.height);
    bitmap.close();
    return address;
  } catch {
    return null;
  }
}

/** Whether the browser lets a page ask for a picture of the screen. */
export const mayCapture = (): boolean => typeof navigator.mediaDevices?.getDisplayMedia === 'function';

/** Asks the visitor what to show, and takes one picture of it; null when they decline. */
export async function capturePicture(): Promise<string | null> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getDisplayMedia({ video: true });
  } catch {
    return null;
  }
  try {
    const video = document.createElement('video');
    video.srcObject = stream;
    video.muted = true;
    await video.play();
    return drawn(video, video.videoWidth, video.videoHeight);
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
