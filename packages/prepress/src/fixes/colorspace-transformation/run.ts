import { defaultCmykProfile, isShippedProfile, numberText, type Paint } from '@pdf2press/pdf';
import { colourName } from '../frame/blacks.ts';
import { hasIntent, intentOf, isMadeForPress, setOutputIntent } from '../frame/output-intent.ts';
import { type ColourText, overridePaint } from '../frame/override.ts';
import { recolour } from '../frame/recolour/recolour.ts';
import type { MapSpace } from '../frame/recolour/space-map.ts';
import type { FixContext, FixRunner } from '../runner.ts';
import { createMapper } from './conversions.ts';

export const run: FixRunner<'ColorspaceTransformation'> = async (context) => {
  const { settings, file, edit } = context;
  const colour = await context.colour();
  const mapSpace = createMapper({ file, edit, colour, settings });
  const wants = (kind: (typeof settings.objects)[number]): boolean => settings.objects.includes(kind);
  const painted = (['text', 'vector'] as const).filter((kind) => wants(kind) && context.touches(kind));
  const target = ({ CMYK: 'DeviceCMYK', Gray: 'DeviceGray', RGB: 'DeviceRGB', Keep: null } as const)[settings.target];
  await recolour(context as unknown as FixContext, {
    mapSpace,
    target,
    blendSpace: settings.setBlendSpace ? target : null,
    jpegQuality: settings.jpegQuality,
    // A mask prints nothing; but no foreign colour is to stay behind, so that its luminosity is said in grey.
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

/** A colour operator may stand for text and for shapes: where only one of them is converted, each object is by itself. */
function recolourOnly(
  context: FixContext<'ColorspaceTransformation'>,
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
    context as unknown as FixContext,
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

/** A file without an intent, or with one for other colours, gets that of the press it was converted for. */
function setIntent(context: FixContext<'ColorspaceTransformation'>): void {
  const { settings, file, edit, log } = context;
  const id = settings.destinationProfile ?? defaultCmykProfile;
  if (!isShippedProfile(id)) return;
  const intent = intentOf(id);
  // Without a profile of its own choosing the file's intent is what it was converted for.
  if ((settings.destinationProfile === null && isMadeForPress(file)) || hasIntent(file, intent)) return;
  setOutputIntent(edit, intent);
  log({ what: 'intent', before: null, after: intent.identifier, parameter: 'setOutputIntent' });
}
