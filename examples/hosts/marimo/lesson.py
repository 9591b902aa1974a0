import marimo

app = marimo.App()


@app.cell
def array():
    import marimo as mo

    link = "https://playground.example/?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7"
    mo.Html(f'<iframe id="sim" src="{link}" title="A 4×4 array" width="900" height="560" style="border:0"></iframe>')
    return


if __name__ == "__main__":
    app.run()
