/** A PDF in the making: objects, layers and pages are added one by one. */
import { buildPdf, type ObjectSource, type PageSource } from '@pdf2press/pdf/testing';

/** An entry of a resource dictionary. */
export interface Use {
  category: 'Font' | 'XObject' | 'ColorSpace' | 'ExtGState' | 'Pattern' | 'Properties' | 'Shading';
  name: string;
  object: string;
}
/** Operators, and the resources that they name. */
export interface Piece {
  content: string;
  uses: readonly Use[];
}

/** A resource dictionary without << >>. */
export function resourcesOf(uses: readonly Use[]): string {
  const categories = new Map<string, Map<string, string>>();
  for (const { category, name, object } of uses) {
    const entries = categories.get(category) ?? new Map<string, string>();
    categories.set(category, entries.set(name, object));
  }
  return [...categories]
    .map(
      ([category, entries]) =>
        `/${category} << ${[...entries].map(([name, object]) => `/${name} ${object}`).join(' ')} >>`,
    )
    .join(' ');
}

export class DrawnFile {
  readonly pages: PageSource[] = [];
  /** Further entries of the catalog and of the optional content properties. */
  catalog = '';
  layerEntries = '';
  /** Further entries of the default configuration of the layers. */
  layerDefaults = '';
  trailer = '';
  version = '1.7';
  readonly #objects: Record<number, ObjectSource> = {};
  readonly #layers: { reference: string; isOn: boolean }[] = [];
  #next = 100;

  /** Adds an object and returns its reference. */
  add(object: ObjectSource): string {
    this.#next += 1;
    this.#objects[this.#next] = object;
    return `${this.#next} 0 R`;
  }

  /** Adds an object as a resource with a name of its own. */
  use(category: Use['category'], object: ObjectSource): Use {
    const reference = this.add(object);
    return { category, name: `${category.slice(0, 2)}${reference.split(' ')[0]}`, object: reference };
  }

  /** Adds a layer that is on or off in the default configuration. */
  layer(isOn: boolean, entries = ''): string {
    const reference = this.add(`<< /Type /OCG /Name (Layer ${this.#next}) ${entries} >>`);
    this.#layers.push({ reference, isOn });
    return reference;
  }

  bytes(): Uint8Array {
    const references = (layers: readonly { reference: string }[]) => layers.map(({ reference }) => reference).join(' ');
    const off = references(this.#layers.filter(({ isOn }) => !isOn));
    const layers = `/OCProperties << /OCGs [${references(this.#layers)}] /D << /Name (Print) /OFF [${off}] ${this.layerDefaults} >> ${this.layerEntries} >>`;
    const hasLayers = this.#layers.length > 0 || this.layerEntries !== '';
    return buildPdf({
      pages: this.pages,
      objects: this.#objects,
      trailer: this.trailer,
      version: this.version,
      catalog: `${this.catalog} ${hasLayers ? layers : ''}`,
    });
  }
}
