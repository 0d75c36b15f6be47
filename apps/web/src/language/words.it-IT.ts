import labels from 'virtual:kind-labels/it-IT';
import contract from '@pdf2press/contract/messages/it-IT' with { type: 'json' };
import ui from '@pdf2press/ui/messages/it-IT' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.it-IT.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
