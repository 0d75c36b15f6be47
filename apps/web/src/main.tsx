import './theme/reset.css';
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { useAddress } from './frame/embed.ts';
import { chosenLanguage, startLanguage } from './language/language.ts';
import { usePreferences } from './preferences/preferences.ts';

await startLanguage(
  chosenLanguage({
    address: useAddress.getState().language,
    preference: usePreferences.getState().language,
    browser: navigator.languages.join(','),
  }),
);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
