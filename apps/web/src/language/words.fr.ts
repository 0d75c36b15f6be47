import labels from 'virtual:kind-labels/fr';
import contract from '@pdf2press/contract/messages/fr' with { type: 'json' };
import ui from '@pdf2press/ui/messages/fr' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.fr.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
