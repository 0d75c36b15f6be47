import { CallError } from '../client/call-error.ts';
import { captchaBadge } from '../constants.ts';

/** The used part of Google's API: https://developers.google.com/recaptcha/docs/v3. */
interface Grecaptcha {
  ready: (then: () => void) => void;
  render: (
    container: HTMLElement,
    options: { sitekey: string; size: 'invisible'; badge: typeof captchaBadge.position },
  ) => number;
  execute: (widget: number, options: { action: string }) => Promise<string>;
}
declare global {
  interface Window {
    grecaptcha?: Grecaptcha;
  }
}

const address = 'https://www.google.com/recaptcha/api.js?render=explicit';

let loading: Promise<{ grecaptcha: Grecaptcha; widget: number }> | null = null;

/** The script and its badge, bottom left and hidden. */
const load = (siteKey: string) =>
  new Promise<{ grecaptcha: Grecaptcha; widget: number }>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onerror = () => {
      // Allows another attempt after a network failure.
      loading = null;
      script.remove();
      reject(new CallError({ kind: 'network' }));
    };
    script.onload = () => {
      const { grecaptcha } = window;
      if (!grecaptcha) return script.onerror?.(new Event('error'));
      grecaptcha.ready(() => {
        const place = document.createElement('div');
        place.hidden = captchaBadge.isHidden;
        document.body.append(place);
        const { position: badge } = captchaBadge;
        resolve({ grecaptcha, widget: grecaptcha.render(place, { sitekey: siteKey, size: 'invisible', badge }) });
      });
    };
    document.head.append(script);
  });

/** A token for the named action, which the server has verified. @throws CallError when the script cannot be loaded */
export async function invisibleToken(siteKey: string, action: string): Promise<string> {
  loading ??= load(siteKey);
  const { grecaptcha, widget } = await loading;
  return grecaptcha.execute(widget, { action });
}
