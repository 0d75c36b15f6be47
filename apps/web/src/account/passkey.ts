import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** The browser made nothing: it was cancelled, took too long, or cannot be done here. */
export class NoPasskeyError extends Error {
  constructor(options: ErrorOptions) {
    super('the browser made no passkey', options);
    this.name = 'NoPasskeyError';
  }
}

type Options = Readonly<Record<string, unknown>>;
/** What the browser makes, as the server takes it. */
type Made = { id: string; rawId: string; type: 'public-key'; response: Record<string, unknown> };

// Most people never need it.
const library = () => import('@simplewebauthn/browser');

async function made(work: () => Promise<unknown>): Promise<Made> {
  try {
    return (await work()) as Made;
  } catch (error) {
    throw new NoPasskeyError({ cause: error });
  }
}

/** Has the browser make a new passkey. @throws NoPasskeyError */
export const makePasskey = (options: Options): Promise<Made> =>
  made(async () =>
    (await library()).startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  );

/** Has the browser confirm with a passkey. @throws NoPasskeyError */
export const confirmByPasskey = (options: Options): Promise<Made> =>
  made(async () =>
    (await library()).startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  );
