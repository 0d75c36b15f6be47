import labels from 'virtual:kind-labels/en';
import contract from '@pdf2press/contract/messages/en' with { type: 'json' };
import ui from '@pdf2press/ui/messages/en' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.en.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
