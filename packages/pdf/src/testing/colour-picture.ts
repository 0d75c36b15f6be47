import sharp from 'sharp';
import { shippedProfilePath } from '../colour/shipped-profiles.ts';

export interface PictureOptions {
  format: 'jpeg' | 'png' | 'tiff';
  space?: 'rgb' | 'cmyk' | 'b-w';
  depth?: 16;
  palette?: boolean;
  alpha?: boolean;
  hasProfile?: boolean;
  /** EXIF orientation, 1 to 8. */
  orientation?: number;
  ppi?: number;
}

const colours = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const;

/** A picture with red and green above blue and white, so that every orientation looks different. */
export async function colourPicture(width: number, height: number, options: PictureOptions): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 3)
      pixels.set(colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] as readonly number[], at);
  let picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (options.alpha) picture = picture.ensureAlpha(0.9);
  if (options.space === 'b-w') picture = picture.greyscale().threshold(128).toColourspace('b-w');
  if (options.depth === 16) picture = picture.toColourspace('rgb16');
  if (options.space === 'cmyk') picture = picture.withIccProfile(shippedProfilePath('fogra39l-coated'));
  else if (options.hasProfile) picture = picture.withIccProfile(shippedProfilePath('srgb'));
  if (options.orientation !== undefined || options.ppi !== undefined)
    picture = picture.withMetadata({
      ...(options.orientation !== undefined && { orientation: options.orientation }),
      ...(options.ppi !== undefined && { density: options.ppi }),
    });
  const encoded = {
    jpeg: () => picture.jpeg({ quality: 95 }),
    png: () => picture.png({ palette: options.palette === true }),
    tiff: () =>
      picture.tiff({ compression: 'lzw', ...(options.ppi === undefined && { xres: 300 / 25.4, yres: 300 / 25.4 }) }),
  };
  return encoded[options.format]().toBuffer();
}
