import { form, open, type Place } from '../frame/place.ts';

export const accountPlaces: readonly Place[] = [
  {
    name: 'my-profile',
    path: '/user/my-profile',
    ...form,
    access: 'signedIn',
    load: async () => (await import('./my-profile-screen.tsx')).MyProfileScreen,
  },
  { name: 'login', path: '/login', ...open, load: async () => (await import('./login-screen.tsx')).LoginScreen },
  {
    name: 'forgot-password',
    path: '/forgot-password',
    ...open,
    load: async () => (await import('./forgot-password-screen.tsx')).ForgotPasswordScreen,
  },
  {
    name: 'reset-password',
    path: '/reset-password',
    ...open,
    load: async () => (await import('./reset-password-screen.tsx')).ResetPasswordScreen,
  },
  {
    name: 'second-factor',
    path: '/second-factor',
    ...open,
    load: async () => (await import('./second-factor-screen.tsx')).SecondFactorScreen,
  },
  { name: 'setup', path: '/setup', ...open, load: async () => (await import('./setup-screen.tsx')).SetupScreen },
];
