import labels from 'virtual:kind-labels/zh';
import contract from '@pdf2press/contract/messages/zh' with { type: 'json' };
import ui from '@pdf2press/ui/messages/zh' with { type: 'json' };

const own = import.meta.glob<Record<string, string>>('../*/messages.zh.json', { eager: true, import: 'default' });

export const words: Record<string, string> = Object.assign({}, contract, ui, labels, ...Object.values(own));
