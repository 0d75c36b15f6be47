import labels from 'virtual:kind-labels/es';
import contract from '@pdf2press/contract/messages/es' with { type: 'json' };
import ui from '@pdf2press/ui/messages/es' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.es.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
