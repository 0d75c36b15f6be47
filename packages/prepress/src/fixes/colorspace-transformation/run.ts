import { defaultCmykProfile, isShippedProfile } from '@pdf2press/pdf';
import { hasIntent, intentOf, outputIntents, setOutputIntent } from '../frame/output-intent.ts';
import { recolour } from '../frame/recolour/recolour.ts';
import type { FixContext, FixRunner } from '../runner.ts';
import { createMapper } from './conversions.ts';

export const run: FixRunner<'ColorspaceTransformation'> = async (context) => {
  const { settings, file, edit } = context;
  const colour = await context.colour();
  const mapSpace = createMapper({ file, edit, colour, settings });
  const wants = (kind: (typeof settings.objects)[number]): boolean => settings.objects.includes(kind);
  await recolour(context as unknown as FixContext, {
    mapSpace,
    blendSpace: settings.setBlendSpace
      ? ({ CMYK: 'DeviceCMYK', Gray: 'DeviceGray', RGB: 'DeviceRGB' } as const)[settings.target]
      : null,
    jpegQuality: settings.jpegQuality,
    // A mask prints nothing; but no foreign colour is to stay behind, so that its luminosity is said in grey.
    includesMasks: true,
    converts: {
      operators: (wants('text') || wants('vector')) && (context.touches('text') || context.touches('vector')),
      images: wants('image') && context.touches('image'),
      shadings: wants('shading') && context.touches('shading'),
    },
    parameter: 'sources',
  });
  if (settings.setOutputIntent && settings.target === 'CMYK') setIntent(context);
};

/** A file without an intent, or with one for other colours, gets that of the press it was converted for. */
function setIntent(context: FixContext<'ColorspaceTransformation'>): void {
  const { settings, file, edit, log } = context;
  const id = settings.destinationProfile ?? defaultCmykProfile;
  if (!isShippedProfile(id)) return;
  const present = outputIntents(file);
  const intent = intentOf(id);
  // Without a profile of its own choosing the file's intent is what it was converted for.
  if ((settings.destinationProfile === null && present.length > 0) || hasIntent(file, intent)) return;
  setOutputIntent(edit, intent);
  log({ what: 'intent', before: null, after: intent.identifier, parameter: 'setOutputIntent' });
}
