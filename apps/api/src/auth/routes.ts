import { passwordSettingsSchema, problem, routes } from '@pdf2press/contract';
import { readSettings } from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import type { Bind } from '../frame/bind.ts';
import { firstSubscriberId, isSetUp, setUp } from '../setup/set-up.ts';
import { captchaFor, passesCaptcha } from './captcha.ts';
import { refresh, signOut } from './refresh.ts';
import { resetPassword, sendResetLink } from './reset.ts';
import { passkeyOptions, signIn, signInWithCode, signInWithPasskey } from './sign-in.ts';

export function bindAuth(bind: Bind, deps: ApiDeps): void {
  bind(routes.auth.login, ({ request, reply, body }) => signIn(deps, request, reply, body));

  bind(routes.secondFactors.signIn, ({ request, reply, body }) => signInWithCode(deps, request, reply, body));

  bind(routes.passkeys.signInOptions, async ({ body }) => ({ options: await passkeyOptions(deps, body.challenge) }));
  bind(routes.passkeys.signIn, ({ request, reply, body }) => signInWithPasskey(deps, request, reply, body));
  bind(routes.auth.refresh, ({ request, reply, body }) =>
    refresh(deps, request, reply, body.refreshToken || undefined),
  );

  bind(routes.auth.logout, async ({ request, reply, body }) => {
    await signOut(deps, request, reply, body.refreshToken || undefined);
    return {};
  });

  bind(routes.auth.forgotPassword, async ({ request, body }) => {
    if (!(await passesCaptcha(deps, { text: body.captcha, action: 'forgot_password' })))
      throw problem('auth.captchaFailed');
    sendResetLink(deps, request, body.email);
    return {};
  });

  bind(routes.auth.resetPassword, async ({ request, body }) => {
    await resetPassword(deps, request, body);
    return {};
  });

  bind(routes.auth.captcha, () => captchaFor(deps));

  bind(routes.auth.passwordPolicy, async () => {
    // Before signing in there is no subscriber to ask; an installation's first one is what links lead to.
    const settings = await deps.db.asHost(async (tx) => {
      const subscriberId = await firstSubscriberId(tx);
      return subscriberId ? (await readSettings(tx, subscriberId)).passwordSettings : passwordSettingsSchema.parse({});
    });
    return settings.useDefaultSettings ? passwordSettingsSchema.parse({}) : settings;
  });

  bind(routes.auth.setupState, async () => ({ isDone: await isSetUp(deps) }));

  bind(routes.auth.setup, async ({ request, body }) => {
    await setUp(deps, request, body);
    return {};
  });
}
