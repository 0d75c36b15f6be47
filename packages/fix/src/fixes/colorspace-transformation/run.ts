import { defaultCmykProfile, isShippedProfile, numberText, type Paint } from '@pdf2press/pdf';
import { colourName } from '../../editing/blacks.ts';
import { hasIntent, intentOf, isMadeForPress, setOutputIntent } from '../../editing/output-intent.ts';
import { type ColourText, overridePaint } from '../../editing/override.ts';
import { recolour } from '../../editing/recolour/recolour.ts';
import type { MapSpace } from '../../editing/recolour/space-map.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { colorspaceTransformation } from './contract.ts';
import { createMapper } from './conversions.ts';

export const run: FixRunner<typeof colorspaceTransformation> = async (context) => {
  const { settings, file, edit } = context;
  const colour = await context.colour();
  const mapSpace = createMapper({ file, edit, colour, settings });
  const wants = (kind: (typeof settings.objects)[number]): boolean => settings.objects.includes(kind);
  const painted = (['text', 'vector'] as const).filter((kind) => wants(kind) && context.touches(kind));
  const target = ({ CMYK: 'DeviceCMYK', Gray: 'DeviceGray', RGB: 'DeviceRGB', Keep: null } as const)[settings.target];
  await recolour(context, {
    mapSpace,
    target,
    blendSpace: settings.setBlendSpace ? target : null,
    jpegQuality: settings.jpegQuality,
    // Soft masks are not printed, but their RGB is converted to grey so that none is left in the file.
    includesMasks: true,
    converts: {
      operators: painted.length === 2,
      images: wants('image') && context.touches('image'),
      shadings: wants('shading') && context.touches('shading'),
    },
    parameter: 'sources',
  });
  const [only] = painted;
  if (only && painted.length === 1) recolourOnly(context, only, mapSpace);
  const isForPress = settings.target === 'CMYK' || (settings.target === 'Keep' && settings.destinationProfile !== null);
  if (settings.setOutputIntent && isForPress) setIntent(context);
};

/** Converts text or vectors only: a colour operator may apply to both, so each object gets its own colour. */
function recolourOnly(
  context: FixContext<typeof colorspaceTransformation>,
  only: 'text' | 'vector',
  mapSpace: MapSpace,
): void {
  const colour = (paint: Paint, isStroke: boolean, isInMask: boolean): ColourText | null => {
    const map = paint.pattern ? null : mapSpace(paint.space, isInMask);
    if (!map) return null;
    const values = map
      .convert(paint.values)
      .map((value) => numberText(Math.round(value * 10_000) / 10_000))
      .join(' ');
    if (map.device) return { text: `${values} ${map.device[isStroke ? 'stroke' : 'fill']}` };
    return { text: isStroke ? `/{} CS ${values} SCN` : `/{} cs ${values} scn`, space: map.value };
  };
  overridePaint(
    context,
    ({ kind, paints, state, place }) => {
      if (kind !== (only === 'text' ? 'text' : 'path') || paints === 'none') return null;
      const { isInSoftMask } = place.run;
      const fill = paints === 'stroke' ? null : colour(state.fill, false, isInSoftMask);
      const stroke = paints === 'fill' ? null : colour(state.stroke, true, isInSoftMask);
      const now = fill ?? stroke;
      if (!now) return null;
      return {
        ...(fill && { fill }),
        ...(stroke && { stroke }),
        log: {
          what: kind,
          before: colourName(fill ? state.fill : state.stroke),
          after: now.text.replace('/{} ', ''),
          parameter: 'objects',
        },
      };
    },
    { includeMasks: true },
  );
}

/** Sets the output intent of the destination, if the file has none or one for other colours. */
function setIntent(context: FixContext<typeof colorspaceTransformation>): void {
  const { settings, file, edit, log } = context;
  const id = settings.destinationProfile ?? defaultCmykProfile;
  if (!isShippedProfile(id)) return;
  const intent = intentOf(id);
  // Without a destination profile in the settings, colours were converted to the file's own output intent.
  if ((settings.destinationProfile === null && isMadeForPress(file)) || hasIntent(file, intent)) return;
  setOutputIntent(edit, intent);
  log({ what: 'intent', before: null, after: intent.identifier, parameter: 'setOutputIntent' });
}
