import { type SharedSettings, sharedSettingsSchema } from './settings.ts';

type Leaf = string | number | boolean;
type Tree = { [key: string]: Leaf | Tree };

const defaults: Tree = sharedSettingsSchema.parse({});

/** The parts of the settings that one company can set for all. */
export const sharedParts = Object.keys(defaults) as (keyof SharedSettings)[];

/** Decides every field anew, from what it is in each of the trees; `path` names it: `userSettings.sendActivationEmail`. */
function eachField(
  mine: Tree,
  theirs: Tree,
  decide: (fields: { mine: Leaf; theirs: Leaf; ours: Leaf; path: string }) => Leaf,
) {
  const within = (ours: Tree, one: Tree, other: Tree, at: string): Tree =>
    Object.fromEntries(
      Object.entries(ours).map(([key, value]) => {
        const path = at + key;
        const decided =
          typeof value === 'object'
            ? within(value, one[key] as Tree, other[key] as Tree, `${path}.`)
            : decide({ mine: one[key] as Leaf, theirs: other[key] as Leaf, ours: value, path });
        return [key, decided];
      }),
    );
  return within(defaults, mine, theirs, '') as SharedSettings;
}

/** A company's own values: those that are not the default, and the defaults that it keeps against the installation. */
export interface OwnSettings {
  own: SharedSettings;
  /** Paths of the fields that are the default although the installation has another value. */
  kept: readonly string[];
}

/** What holds for a company: its own value of each field, else the installation's. */
export const settingsWithin = ({ own, kept }: OwnSettings, installation: SharedSettings): SharedSettings =>
  eachField(own, installation, ({ mine, theirs, ours, path }) =>
    mine === ours && !kept.includes(path) ? theirs : mine,
  );

/** What of the settings that hold is a company's own: all that differs from the installation's. */
export function ownOf(settings: SharedSettings, installation: SharedSettings): OwnSettings {
  const kept: string[] = [];
  const own = eachField(settings, installation, ({ mine, theirs, ours, path }) => {
    if (mine === theirs) return ours;
    if (mine === ours) kept.push(path);
    return mine;
  });
  return { own, kept };
}
