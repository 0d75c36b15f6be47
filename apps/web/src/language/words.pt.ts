import labels from 'virtual:kind-labels/pt';
import contract from '@pdf2press/contract/messages/pt' with { type: 'json' };
import ui from '@pdf2press/ui/messages/pt' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.pt.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
